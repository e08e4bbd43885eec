"""What stands beside an interval: bands, tests of differences, second opinions, planning."""
