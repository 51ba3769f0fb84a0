"""Headlines → how well their words predict the magnitude of their numeral.

titles.py  the files of Numeracy-600K
task.py    the task `magnitude-class` of numberline evaluate
"""
