"""The application in the browser, on this computer alone: the site as it is built, and screens that write."""
