// Figures and names as the page writes them.
const threeDigits = value => Math.abs(value) >= 99.95 ? value.toFixed(0) : value.toPrecision(3);
// Minutes only from two on, as everywhere in Berth.
const timeUnits = [[3600, 'h', 3600], [60, 'min', 120], [1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']];
const timeUnit = seconds =>
  timeUnits.find(([size, , least]) => Math.abs(seconds) >= (least || size) * 0.9995) || timeUnits[5];
const formatTime = ticks => {
  const seconds = ticks * data.tick, [size, name] = timeUnit(seconds);
  return seconds ? threeDigits(seconds / size) + ' ' + name : '0 s';
};
// An instant, with as many digits as it takes to tell it from one `apart` later.
const formatInstant = (ticks, apart) => {
  const seconds = ticks * data.tick;
  if (!ticks) return '0';
  const [size, name] = timeUnit(Math.min(Math.abs(seconds), 60));  // round marks are round in seconds
  const decimals = -Math.floor(Math.log10(apart * data.tick / size) + 1e-9);
  return (seconds / size).toFixed(Math.max(0, Math.min(9, decimals))) + ' ' + name;
};
const formatBytes = bytes => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  while (Math.abs(bytes) >= 1023.5 && unit < units.length - 1) { bytes /= 1024; unit++; }
  return (unit ? threeDigits(bytes) : bytes) + ' ' + units[unit];
};
const formatCount = count => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
// Text that may break behind the separators of names, but not inside a figure.
const nameNodes = name => {
  const parts = String(name).split(/(?<=[/_:-])|(?<=\.)(?!\d)/);
  return parts.flatMap((part, i) => i ? [document.createElement('wbr'), part] : [part]);
};
