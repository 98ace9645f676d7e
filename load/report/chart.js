// Draws a chart for each key from the data in the page, with uPlot, which the page has before this script.
const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const optionsFor = (width) => ({
  width,
  height: 300,
  scales: { x: { time: false }, ms: {} },
  axes: [
    { label: 'seconds since the first call', stroke: tone('--ink'), grid: { stroke: tone('--line'), width: 1 } },
    { label: 'calls', stroke: tone('--ink'), grid: { stroke: tone('--line'), width: 1 } },
    { scale: 'ms', side: 1, label: 'answer, ms', stroke: tone('--muted'), grid: { show: false } },
  ],
  series: [
    { label: 's' },
    { label: 'admitted', stroke: tone('--pass'), width: 2, points: { show: false } },
    { label: 'refused', stroke: tone('--fail'), width: 2, points: { show: false } },
    { label: 'Remaining', stroke: tone('--observed'), paths: () => null, points: { show: true, size: 4 } },
    { label: 'answer, ms', scale: 'ms', stroke: tone('--muted'), paths: () => null, points: { show: true, size: 2 } },
  ],
});

for (const { key, columns } of JSON.parse(document.getElementById('chart-data').textContent)) {
  const figure = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (columns[0].length > 0) {
    new uPlot(optionsFor(Math.max(320, figure.clientWidth)), columns, figure);
  }
}
