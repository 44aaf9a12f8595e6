import type { Page } from 'playwright-core';

/** How a page was drawn: milliseconds between two frames, and tasks that kept the page from answering. */
export interface Frames {
  frames: number;
  medianMs: number;
  p95Ms: number;
  p99Ms: number;
  longestMs: number;
  longTasks: number;
  longestTaskMs: number;
}

const watching = `(() => {
  const seen = { frames: [], tasks: [], last: performance.now(), runs: true };
  window.__frames = seen;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration);
  }).observe({ type: 'longtask' });
  const frame = (now) => {
    seen.frames.push(now - seen.last);
    seen.last = now;
    if (seen.runs) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;
const watched = `(() => {
  window.__frames.runs = false;
  return { frames: window.__frames.frames.slice(1), tasks: window.__frames.tasks };
})()`;

/** Draws while `work` goes on. */
export async function framesOf(page: Page, work: () => Promise<unknown>): Promise<Frames> {
  await page.evaluate(watching);
  await work();
  const { frames, tasks } = await page.evaluate<{ frames: number[]; tasks: number[] }>(watched);
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10;
  return {
    frames: sorted.length,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    longestMs: at(1),
    longTasks: tasks.length,
    longestTaskMs: Math.round(Math.max(0, ...tasks)),
  };
}

/** Scrolls what `selector` names as a wheel does, `pixels` a frame, until it has come so far or goes no further. */
export const scroll = (page: Page, selector: string, pixels: number, distance: number): Promise<number> =>
  page.evaluate(`(async () => {
    const scroller = document.querySelector(${JSON.stringify(selector)}).parentElement;
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    let [came, still] = [0, 0];
    while (Math.abs(came) < ${distance} && still < 240) {
      const before = scroller.scrollTop;
      scroller.scrollTop += ${pixels};
      await frame();
      const moved = scroller.scrollTop - before;
      still = moved === 0 ? still + 1 : 0;
      came += ${pixels} < 0 ? Math.abs(moved) : moved;
    }
    return came;
  })()`);
