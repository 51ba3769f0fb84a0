"""The experiments of Jiang et al., Learning Numeral Embedding (2020), in the order of the work.

presets.py      the settings that the paper reports for each experiment
published.py    its tables as data
grid.py         the experiments: which models, trained on which text, do which task
lstm/           its baseline D-LSTM, an LSTM that reads digits
headlines/      its task on titles: how many digits the numeral has
probing/        its small networks, which read vectors of numerals
tagging/        its labelled sentences, and how well a tagger labels them
speed.py        how fast each encoder trains
texts.py        a corpus → the text to train on, and the text that is held out
workshop.py     makes models and evaluations, or reads those that were made before
experiments.py  the whole grid → everything there is to report
report/         tables beside the published ones, and pictures, as Markdown and HTML
run.py          all of it in one call, which `numberline reproduce` (command.py) makes

tasks.py and presets.py are entry points: `numberline evaluate --task tagging`, `numberline train
--preset similarity`. Only public names of numberline are used.
"""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline_paper.lstm.train import train_lstm as train_lstm
    from numberline_paper.run import reproduce as reproduce
else:
    __all__, __getattr__ = lazy_names(__name__, run="reproduce", **{"lstm.train": "train_lstm"})
