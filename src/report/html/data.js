// The step as html_data.cc wrote it, read into columns: one typed array per property, one entry
// per run of an op, transfer, step of the critical path or piece of memory. Times are in ticks.
const data = (() => {
  const raw = JSON.parse(document.getElementById('data').textContent);

  // The inverse of PackedNumbers: seven bits per byte, the sign in the lowest bit.
  const numbers = (text, ascending) => {
    const bytes = atob(text);
    let entries = 0;
    for (let i = 0; i < bytes.length; i++) if (bytes.charCodeAt(i) < 128) entries++;
    const out = new Float64Array(entries);
    let count = 0, value = 0, scale = 1, last = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes.charCodeAt(i);
      value += (byte & 127) * scale;
      if (byte & 128) { scale *= 128; continue; }
      const number = value % 2 ? -(value + 1) / 2 : value / 2;
      last = ascending ? last + number : number;
      out[count++] = last;
      value = 0;
      scale = 1;
    }
    return out;
  };
  const differences = text => numbers(text, true);
  const sum = (a, b) => {
    const out = new Float64Array(a.length);
    for (let i = 0; i < out.length; i++) out[i] = a[i] + b[i];
    return out;
  };

  const names = [];
  for (const line of raw.names.split('\n')) {
    const shared = line.charCodeAt(0) - 32;
    names.push((shared ? names[names.length - 1].slice(0, shared) : '') + line.slice(1));
  }

  // Tensors are numbered by the op that makes them.
  const outputs = numbers(raw.outputs);
  const firstTensor = new Float64Array(outputs.length + 1);
  outputs.forEach((count, op) => { firstTensor[op + 1] = firstTensor[op] + count; });
  const producer = new Int32Array(firstTensor[outputs.length]);
  outputs.forEach((count, op) => producer.fill(op, firstTensor[op], firstTensor[op] + count));

  const runs = {
    op: differences(raw.runs.op), device: numbers(raw.runs.device), lane: numbers(raw.runs.lane),
    start: differences(raw.runs.start), length: numbers(raw.runs.length),
    waited: numbers(raw.runs.waited), after: numbers(raw.runs.after),
    brought: differences(raw.runs.brought), critical: null, members: new Map(),
  };
  runs.count = runs.op.length;
  runs.end = sum(runs.start, runs.length);
  const runOf = new Int32Array(names.length).fill(-1);
  runs.op.forEach((op, run) => { runOf[op] = run; });
  // Run and member, each as the difference to the last number of either.
  const fused = differences(raw.runs.fused);
  for (let i = 0; i < fused.length; i += 2) {
    const run = fused[i], op = fused[i + 1];
    if (!runs.members.has(run)) runs.members.set(run, []);
    runs.members.get(run).push(op);
    runOf[op] = run;
  }

  const transfers = {
    tensor: differences(raw.transfers.tensor), route: numbers(raw.transfers.route),
    sent: differences(raw.transfers.sent), waited: numbers(raw.transfers.waited),
    length: numbers(raw.transfers.length), routes: raw.transfers.routes,
  };
  transfers.count = transfers.tensor.length;
  transfers.start = sum(transfers.sent, transfers.waited);
  transfers.end = sum(transfers.start, transfers.length);

  const path = {
    kind: numbers(raw.path.kind), start: differences(raw.path.begin),
    length: numbers(raw.path.length), op: differences(raw.path.op),
    tensor: numbers(raw.path.tensor), device: numbers(raw.path.device),
  };
  path.end = sum(path.start, path.length);
  runs.critical = new Uint8Array(runs.count);
  const criticalTensor = new Uint8Array(producer.length);
  path.kind.forEach((kind, i) => {
    if (kind === 0) runs.critical[runOf[path.op[i]]] = 1;
    if (kind === 1) criticalTensor[path.tensor[i] - 1] = 1;
  });
  transfers.critical = Uint8Array.from(transfers.tensor, tensor => criticalTensor[tensor]);

  const memory = raw.memory.map(device => {
    let held = null;
    return {
      device: device.device, parameters: device.parameters, top: device.top, limit: device.limit,
      over: device.over, time: differences(device.time), level: differences(device.bytes),
      // What is held is asked for only when somebody points at it.
      get held() {
        if (held) return held;
        const from = differences(device.from), length = numbers(device.length);
        return held = { what: numbers(device.what), item: differences(device.item), from,
                        until: from.map((start, i) => length[i] ? start + length[i] - 1 : Infinity),
                        more: numbers(device.more) };
      },
    };
  });

  return { tick: raw.tick, step: raw.step, devices: raw.devices, channels: raw.channels,
           types: raw.types, heavy: raw.heavy, type: numbers(raw.type), bytes: numbers(raw.bytes),
           names, producer, firstTensor, runs, runOf, transfers, path, memory };
})();

const tensorName = tensor => {
  const op = data.producer[tensor];
  return data.names[op] + ':' + (tensor - data.firstTensor[op]);
};
