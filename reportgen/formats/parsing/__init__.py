"""What readers of one format or one family are made of; what all of them share stands one level up."""
