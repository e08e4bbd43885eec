"""How fast is reportgen beside other libraries? `make bench` prints ratios of one run."""
