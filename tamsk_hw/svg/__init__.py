"""Draws the state of a table as SVG: for the page, the archive, the docs and notebooks."""

from tamsk_hw.svg.chart import rings_chart as rings_chart
from tamsk_hw.svg.chart import sand_chart as sand_chart
from tamsk_hw.svg.drawing import Drawing as Drawing
from tamsk_hw.svg.drawing import drawing_of as drawing_of
from tamsk_hw.svg.elements import Theme as Theme
from tamsk_hw.svg.elements import stylesheet as stylesheet
