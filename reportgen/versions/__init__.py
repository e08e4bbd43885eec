"""What changed from one guidelines version to another, and is it more than chance? Are promises kept?"""
