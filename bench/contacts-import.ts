/*
 * `node bench/contacts-import.ts [--rows 500000]`: a file of contacts through the front door, over a gateway with all its
 * parts. How long until everybody is in, and what does the runtime need for it? See bench/README.md.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePortPair } from '../test/free-ports.ts';
import { LocalRun, unlimited } from './bridge-side/local-run.ts';
import { residentBytes, residentKinds } from './bridge-side/resident-memory.ts';
import { liveBytes, usedBytes } from './soak/inspector.ts';
import { inspectable, ourWorker } from './soak/samples.ts';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '500000' } } });
const rows = Number(values.rows);
if (!Number.isInteger(rows) || rows < 1) {
  console.error('Give --rows of at least 1.');
  process.exit(2);
}

const mib = 2 ** 20;
/** What our Worker and its objects may hold: the platform gives them so much together. */
const mibMax = 128;
const sampleEveryMs = 500;
/** How often it is asked who holds what. */
const lookEveryMs = 4_000;
/** Each of so many rows is refused. */
const refusedEvery = 1_000;
const cities = ['Jakarta', 'Bandung', 'Surabaya', 'Medan', 'Semarang', 'Makassar'];

interface Import {
  importId: string;
  status: string;
  created: number;
  updated: number;
  refusedCount: number;
  rows: number;
}

function* lines(): Generator<string> {
  yield 'Phone,Name,City,Orders,Labels\r\n';
  for (let index = 1; index <= rows; index += 1) {
    const phone = index % refusedEvery === 0 ? '12' : `+62 812-${String(10_000_000 + index)}`;
    const city = cities[index % cities.length];
    yield `${phone},"Person ${index}, of ${city}",${city},${index % 40},${index % 3 === 0 ? 'vip;fair' : ''}\r\n`;
  }
}

/** The file as it is made, never whole in memory. */
const file = () => {
  const all = lines();
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      let text = '';
      for (let line = all.next(); !line.done; line = all.next()) {
        text += line.value;
        if (text.length > 65_536) break;
      }
      if (text === '') controller.close();
      else controller.enqueue(new TextEncoder().encode(text));
    },
  });
};

const inspectorPort = await freePortPair();
const ports = { bridge: inspectorPort, workerd: inspectorPort + 1 };
const run = await LocalRun.start({ ...unlimited, ...inspectable(ports) });
try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  await run.discard();
}

interface Held {
  rows: number;
  seconds: number;
  /** Of our Worker and its objects: after a collection, or with what nobody has collected yet. */
  workerMib: number;
  isCollected: boolean;
  standInsMib: number;
  residentMib: number;
  anonymousMib: number;
  mappedMib: number;
}

/** What workerd holds: whose it is, and what of it no isolate knows of. */
async function held(startedAt: number, rowsDone: number, collects: boolean): Promise<Held> {
  // An isolate that has nothing to do does not collect: it is kept a little busy meanwhile.
  const asking = setInterval(() => void fetch(`${run.baseUrl}/readyz`).catch(() => null), 100);
  const live = collects ? await liveBytes(ports.workerd).catch(() => null) : null;
  clearInterval(asking);
  const isolates = [...(live ?? (await usedBytes(ports.workerd)))];
  const of = (isOurs: boolean) =>
    isolates
      .filter(([name]) => name.endsWith(ourWorker) === isOurs)
      .reduce((sum, [, bytes]) => sum + bytes / mib, 0);
  const pid = run.pidOf('workerd');
  const { anonymous, mapped } = residentKinds(pid);
  return {
    rows: rowsDone,
    seconds: (Date.now() - startedAt) / 1000,
    workerMib: of(true),
    isCollected: live !== null,
    standInsMib: of(false),
    residentMib: residentBytes(pid) / mib,
    anonymousMib: anonymous / mib,
    mappedMib: mapped / mib,
  };
}

function shown({ seconds, rows: done, isCollected, ...parts }: Held): string {
  const { workerMib, standInsMib, residentMib, anonymousMib, mappedMib } = parts;
  return (
    `${seconds.toFixed(0)} s, ${done} rows: our Worker ${workerMib.toFixed(1)} MiB ` +
    `${isCollected ? 'after a collection' : 'uncollected'}, stand-ins ${standInsMib.toFixed(1)}; resident ` +
    `${residentMib.toFixed(0)} (anonymous ${anonymousMib.toFixed(0)}, files ${mappedMib.toFixed(0)})`
  );
}

async function measure(): Promise<boolean> {
  const workerd = run.pidOf('workerd');
  const startedAt = Date.now();
  const before = await held(startedAt, 0, true);
  console.log(shown(before));
  let most = residentBytes(workerd);
  const sampling = setInterval(() => {
    most = Math.max(most, residentBytes(workerd));
  }, sampleEveryMs);
  // What nobody has collected yet is in it, though there is no bound here that would make the collector hurry.
  let liveMib = before.workerMib;
  const mapping = {
    Phone: 'phoneNumber',
    Name: 'name',
    City: 'attributes.city',
    Orders: 'attributes.orders:number',
    Labels: 'labels',
  };
  const query = new URLSearchParams({ consentSource: 'A fair', mapping: JSON.stringify(mapping) });
  const sentAt = Date.now();
  const response = await fetch(`${run.baseUrl}/v1/contacts/import?${query}`, {
    method: 'POST',
    headers: { authorization: run.authorization, 'content-type': 'text/csv' },
    body: file(),
    duplex: 'half',
  });
  if (!response.ok) throw new Error(`the import was answered ${response.status}: ${await response.text()}`);
  let it = (await response.json()) as Import;
  const look = async (collects = false) => {
    // An isolate that is busy may not let anybody look; the next look comes soon.
    const sample = await held(startedAt, it.rows, collects).catch(() => null);
    if (sample === null) return;
    liveMib = Math.max(liveMib, sample.workerMib);
    console.log(shown(sample));
  };
  await look();
  for (let next = Date.now() + lookEveryMs; it.status === 'running'; await delay(500)) {
    it = await run.admin<Import>('GET', `/v1/contacts/imports/${it.importId}`);
    if (Date.now() < next) continue;
    await look();
    next = Date.now() + lookEveryMs;
    if (Date.now() - startedAt > 300_000) await run.refresh();
  }
  const took = Date.now() - sentAt;
  await look(true);
  clearInterval(sampling);
  const refused = Math.floor(rows / refusedEvery);
  const isRight = it.created === rows - refused && it.refusedCount === refused && it.rows === rows;
  console.log(
    `${(took / 1000).toFixed(1)} s, ${Math.round((rows * 1000) / took)} rows a second; ` +
      `our Worker holds at most ${liveMib.toFixed(1)} MiB (${mibMax} may be); ` +
      `resident ${before.residentMib.toFixed(0)} → at most ${(most / mib).toFixed(0)} MiB`,
  );
  console.log(`${isRight ? '✓' : '✗'} ${it.status}: ${it.created} created, ${it.refusedCount} refused`);
  return isRight && liveMib < mibMax;
}
