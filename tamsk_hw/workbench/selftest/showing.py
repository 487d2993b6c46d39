"""The self-test's prompts, in lines and as a picture."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from tamsk_hw.terminal.picture import PLAIN
from tamsk_hw.workbench.walk.picture import marks_beside, marks_in_cells, prompt_picture
from tamsk_hw.workbench.walk.prompt import Answer, Prompt
from tamsk_hw.workbench.walk.walk import Spoken

#: The key of each answer.
KEYS: Final = {"y": Answer.YES, "n": Answer.NO, "b": Answer.BACK, "s": Answer.SKIP, "q": Answer.QUIT}

_KEY_OF: Final = {answer: key for key, answer in KEYS.items()}

#: The presses of the start button that give an answer.
_BY_BUTTON: Final = {Answer.YES: "start button", Answer.NO: "start button held"}

#: Answers that are always possible.
_ALWAYS: Final = {Answer.SKIP: "leave this part out", Answer.QUIT: "end the test"}


def spoken(prompt: Prompt) -> Spoken:
    """The prompt in lines."""
    task = [f"{prompt.title}. {prompt.words}"]
    if prompt.answers:
        task.append(f"  [{'; '.join(_answers(prompt))}]")
    counted = f" ({prompt.progress})" if prompt.notice and prompt.progress else ""
    return Spoken(tuple(task), prompt.notice + counted, prompt.trouble)


def picture(prompt: Prompt) -> Text:
    """The prompt as a picture."""
    # The last two answers stand on one line.
    *lines, skip, quit_ = _answers(prompt)
    return prompt_picture(
        prompt,
        heading="TAMSK self-test",
        corner=prompt.progress,
        cells=marks_in_cells(prompt),
        beside=marks_beside(prompt),
        footer=[(line, PLAIN) for line in (*lines, f"{skip}    {quit_}")],
    )


def _answers(prompt: Prompt) -> list[str]:
    """The meaning of each answer, with its key and button."""
    lines = []
    for answer, meaning in {**prompt.answers, **_ALWAYS}.items():
        button = None if prompt.keys_only else _BY_BUTTON.get(answer)
        lines.append(f"{_KEY_OF[answer]}, or {button}: {meaning}" if button else f"{_KEY_OF[answer]}: {meaning}")
    return lines
