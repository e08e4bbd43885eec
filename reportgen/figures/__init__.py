"""What is looked at?"""
