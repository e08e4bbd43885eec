"""Label Studio's three ways of writing what annotators did."""
