// Opens reports in headless Chromium at the width of a desk and of a phone, and does what readers
// do: zoom, move, find, point, tap, pinch, sort. Prints how long each page took until it could be
// used; that is a figure to read, not one to fail by. Everything else here must hold.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const mostBytes = 20e6;

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });

const open = async (file, width) => {
  const phone = width < 500;
  const context = await browser.newContext({ viewport: { width, height: phone ? 844 : 900 },
                                             hasTouch: phone, isMobile: phone });
  const page = await context.newPage();
  page.on('pageerror', error => { throw error; });
  page.on('request', request => assert.match(request.url(), /^(file|data):/, 'needs the network'));
  const begin = performance.now();
  await page.goto('file://' + path.resolve(file));
  const seconds = (performance.now() - begin) / 1000;
  await page.screenshot({ path: `${file}-${width}.png`, fullPage: true });
  return { page, context, seconds };
};
// A phone shows a page that is too wide at a smaller scale, so its own idea of its width is no guide.
const fitsTheWidth = async page => {
  const content = await page.evaluate(() => document.scrollingElement.scrollWidth);
  const { width } = page.viewportSize();
  assert.ok(content <= width, `the page is ${content} wide in a window of ${width}`);
};
const hint = async page => {
  const box = page.locator('#hint');
  return await box.isVisible() ? box.innerText() : '';
};
// Drawing waits for the next frame.
const settle = page => page.evaluate(() => new Promise(done => {
  requestAnimationFrame(() => requestAnimationFrame(done));
}));
const axis = async page => {
  await settle(page);
  return page.locator('#when .axis').innerText();
};
const lane = async page => {
  const canvas = page.locator('#when canvas[data-device]').first();
  await canvas.scrollIntoViewIfNeeded();
  await settle(page);  // scrolling hides hints
  return canvas.boundingBox();
};
const anythingDrawn = (page, selector) => page.evaluate(which => {
  return [...document.querySelectorAll(which)].some(canvas => canvas.getContext('2d')
    .getImageData(0, 0, canvas.width, canvas.height).data.some(value => value > 0));
}, selector);

const zoomAndMove = async page => {
  const box = await lane(page);
  const all = await axis(page);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -600);
  const zoomed = await axis(page);
  assert.notEqual(zoomed, all, 'the wheel does not zoom');
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await axis(page), zoomed, 'dragging does not move the view');
  await page.getByRole('button', { name: 'Whole step' }).click();
  assert.equal(await axis(page), all, 'the whole step is not what it was');
};
// The op at the position of the page's table of ops: its name, found by typing it.
const findOp = async (page, row) => {
  const name = (await page.locator('#ops td a').nth(row).innerText()).trim();
  await page.fill('#find', name);
  await page.locator('#matches li').first().waitFor();
  assert.ok((await page.locator('#matches').innerText()).includes(name), `${name} is not found`);
  await page.press('#find', 'Enter');
  const about = await page.locator('#about').innerText();
  assert.ok(about.includes(name), about);
  assert.match(about, /ready (at|from)/);
  assert.match(about, /waited .* for .*, which ran|started at once/);
  return name;
};
const pointAt = async (page, name) => {
  await settle(page);
  const device = (await page.locator('#about').innerText()).match(/ on (\S+), /)[1];
  const row = page.locator('#when .row', { has: page.getByText(device, { exact: true }) }).first();
  await row.scrollIntoViewIfNeeded();
  await settle(page);  // scrolling hides hints
  const box = await row.locator('canvas').boundingBox();
  // Found ops are shown in the middle, unless that would be beyond an end of the step.
  for (const part of [0.5, 0.04, 0.96, 0.25, 0.75]) {
    await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
    if ((await hint(page)).includes(name)) return;
  }
  assert.fail(`pointing at ${name} does not tell its name`);
};
const pointAtMemory = async page => {
  const canvas = page.locator('canvas[data-memory]').first();
  await canvas.scrollIntoViewIfNeeded();
  await settle(page);  // scrolling hides hints
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  assert.match(await hint(page), /holds [\d.]+ \S*B at /);
};
const sortOps = async page => {
  await page.fill('#find', '');
  const names = () => page.locator('#ops tr td:first-child').allInnerTexts();
  await page.locator('#ops th', { hasText: /^op/ }).click();
  const ascending = await names();
  assert.deepEqual(ascending, [...ascending].sort(), 'ops are not sorted by name');
  await page.locator('#ops th', { hasText: /^op/ }).click();
  assert.notDeepEqual(await names(), ascending, 'the second click does not turn the order');
};
const sortTable = async page => {
  const table = page.locator('table.sortable').first();
  const values = () => table.locator('tr td:nth-child(2)')
    .evaluateAll(cells => cells.map(cell => Number(cell.dataset.value)));
  await table.locator('th').nth(1).click();
  const ascending = await values();
  assert.ok(ascending.length > 1);
  assert.deepEqual(ascending, [...ascending].sort((a, b) => a - b));
  await table.locator('th').nth(1).click();
  assert.deepEqual(await values(), ascending.reverse());
};

const touch = async (page, context) => {
  const session = await context.newCDPSession(page);
  const send = (type, points) => session.send('Input.dispatchTouchEvent', {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const box = await lane(page);
  const middle = box.x + box.width / 2, y = box.y + box.height / 2;
  const all = await axis(page);
  await send('touchStart', [[middle - 30, y], [middle + 30, y]]);
  for (let apart = 40; apart <= 120; apart += 20) {
    await send('touchMove', [[middle - apart, y], [middle + apart, y]]);
  }
  await send('touchEnd', []);
  const pinched = await axis(page);
  assert.notEqual(pinched, all, 'two fingers do not zoom');
  await send('touchStart', [[middle, y]]);
  for (let moved = 20; moved <= 100; moved += 20) await send('touchMove', [[middle - moved, y]]);
  await send('touchEnd', []);
  assert.notEqual(await axis(page), pinched, 'one finger does not move the view');
  await fitsTheWidth(page);
};

const useReport = async (file, ops) => {
  const bytes = fs.statSync(file).size;
  assert.ok(bytes < mostBytes, `${file} has ${bytes} bytes`);
  for (const width of [1280, 390]) {
    const { page, context, seconds } = await open(file, width);
    console.log(`report ${file} at ${width} px: ${ops} ops, ${(bytes / 1e6).toFixed(1)} MB, ` +
                `usable after ${seconds.toFixed(2)} s`);
    await fitsTheWidth(page);
    assert.ok((await page.locator('#ops-count').innerText()).startsWith(`${ops} in total`));
    for (const chart of ['canvas[data-device]', 'canvas[data-path]', 'canvas[data-memory]']) {
      assert.ok(await anythingDrawn(page, chart), `nothing is drawn on ${chart}`);
    }
    if (width === 1280) {
      await zoomAndMove(page);
      await pointAt(page, await findOp(page, 3));
      await pointAtMemory(page);
      await sortOps(page);
      await sortTable(page);
    } else {
      await touch(page, context);
      await findOp(page, 3);
      await fitsTheWidth(page);
    }
    await context.close();
  }
};

try {
  await useReport('large.html', '100,000');
  await useReport('crowded.html', '100,000');
  await useReport('small.html', '19');
  for (const width of [1280, 390]) {
    const { page, context } = await open('sweep.html', width);
    await fitsTheWidth(page);
    await sortTable(page);
    await context.close();
  }
} finally {
  await browser.close();
}
console.log('all that was tried works');
