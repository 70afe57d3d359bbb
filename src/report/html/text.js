// Figures and names as the page writes them.
const formatTime = ticks => {
  const seconds = ticks * data.tick;
  for (const [unit, name] of [[1, 's'], [1e-3, 'ms'], [1e-6, 'us']]) {
    if (Math.abs(seconds) >= unit * 0.9995) return (seconds / unit).toPrecision(3) + ' ' + name;
  }
  return seconds ? (seconds * 1e9).toPrecision(3) + ' ns' : '0 s';
};
// An instant, with as many digits as it takes to tell it from one `apart` later.
const formatInstant = (ticks, apart) => {
  const seconds = ticks * data.tick;
  if (!ticks) return '0';
  const unit = [[1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']]
    .find(([size]) => Math.abs(seconds) >= size * 0.9995) || [1e-9, 'ns'];
  const decimals = -Math.floor(Math.log10(apart * data.tick / unit[0]) + 1e-9);
  return (seconds / unit[0]).toFixed(Math.max(0, Math.min(9, decimals))) + ' ' + unit[1];
};
const formatBytes = bytes => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  while (Math.abs(bytes) >= 1023.5 && unit < units.length - 1) { bytes /= 1024; unit++; }
  return (unit ? bytes.toPrecision(3) : bytes) + ' ' + units[unit];
};
const formatCount = count => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
// A name that may break behind its separators.
const nameNodes = name => {
  const parts = String(name).split(/(?<=[/._:-])/);
  return parts.flatMap((part, i) => i ? [document.createElement('wbr'), part] : [part]);
};
