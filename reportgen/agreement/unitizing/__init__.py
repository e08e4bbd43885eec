"""How annotators cut texts into units: alpha_U, the u-alpha family, gamma."""
