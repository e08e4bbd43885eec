"""Thresholds that several analyses share, each with its reason; those of one analysis stand beside it."""

# Of more annotators pairs have no tables of their own, and sheets no column for each: 50 make 1,225 pairs.
MOST_ANNOTATORS = 50
# More annotators are a crowd, of whom results have the worst: somebody is always near, so that who agrees
# next more or less says nothing, and one alone hardly moves the others' mean.
LARGEST_GROUP = 60
# A p value below this, adjusted where there are several tests, is more than chance.
SIGNIFICANT = 0.05
