"""What agreement is made of: sums over units, coefficients as functions of them, and what follows."""
