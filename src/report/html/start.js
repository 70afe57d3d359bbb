// Draws everything for the first time, and again whenever the charts change size.
fillOps();
new ResizeObserver(redraw).observe(document.querySelector('main'));
for (const draw of drawers) draw();
document.documentElement.dataset.ready = Math.round(performance.now());
