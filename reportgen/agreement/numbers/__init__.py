"""Ratings as numbers: Finn's R, intraclass correlations, Kendall's W."""
