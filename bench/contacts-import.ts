/*
 * `node bench/contacts-import.ts [--rows 500000]`: a file of contacts through the front door, over a gateway with all its
 * parts. How long until everybody is in, and what does the runtime need for it? See bench/README.md.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePortPair } from '../test/free-ports.ts';
import { LocalRun, unlimited } from './bridge-side/local-run.ts';
import { residentBytes } from './bridge-side/resident-memory.ts';
import { inspectable, liveSample } from './soak/samples.ts';

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

async function measure(): Promise<boolean> {
  const workerd = run.pidOf('workerd');
  const before = residentBytes(workerd);
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentBytes(workerd));
  }, sampleEveryMs);
  // What it holds, not what nobody has collected yet: there is no bound here that would make the collector hurry.
  let liveMib = 0;
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
  const mapping = {
    Phone: 'phoneNumber',
    Name: 'name',
    City: 'attributes.city',
    Orders: 'attributes.orders:number',
    Labels: 'labels',
  };
  const query = new URLSearchParams({ consentSource: 'A fair', mapping: JSON.stringify(mapping) });
  const response = await fetch(`${run.baseUrl}/v1/contacts/import?${query}`, {
    method: 'POST',
    headers: { authorization: run.authorization, 'content-type': 'text/csv' },
    body: file(),
    duplex: 'half',
  });
  if (!response.ok) throw new Error(`the import was answered ${response.status}: ${await response.text()}`);
  let it = (await response.json()) as Import;
  console.log(`${seconds()} s: answered, ${it.rows} rows in`);
  for (let next = Date.now() + 10_000; it.status === 'running'; await delay(500)) {
    it = await run.admin<Import>('GET', `/v1/contacts/imports/${it.importId}`);
    if (Date.now() < next) continue;
    next += 10_000;
    const live = await liveSample(run, ports, startedAt);
    liveMib = Math.max(liveMib, live?.workerLiveMib ?? 0);
    console.log(
      `${seconds()} s: ${it.rows} rows; our Worker holds ${live?.workerLiveMib.toFixed(1) ?? '?'} MiB, ` +
        `resident ${((most - before) / mib).toFixed(0)} MiB on top`,
    );
    if (Date.now() - startedAt > 300_000) await run.refresh();
  }
  const took = Date.now() - startedAt;
  clearInterval(sampling);
  const refused = Math.floor(rows / refusedEvery);
  const isRight = it.created === rows - refused && it.refusedCount === refused && it.rows === rows;
  console.log(
    `${(took / 1000).toFixed(1)} s, ${Math.round((rows * 1000) / took)} rows a second; ` +
      `our Worker holds at most ${liveMib.toFixed(1)} MiB (${mibMax} may be); ` +
      `resident ${(before / mib).toFixed(0)} → at most ${(most / mib).toFixed(0)} MiB`,
  );
  console.log(`${isRight ? '✓' : '✗'} ${it.status}: ${it.created} created, ${it.refusedCount} refused`);
  return isRight && liveMib < mibMax;
}
