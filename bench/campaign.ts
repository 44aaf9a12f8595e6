/*
 * `node bench/campaign.ts [--recipients 20000] [--numbers 5]`: a campaign through the front door while a number is banned,
 * links drop and processes are killed. Does each get it once, or is named as failed? How soon does a pause take hold?
 * See bench/README.md.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LocalRun, unlimited } from './bridge-side/local-run.ts';

const { values } = parseArgs({
  options: {
    recipients: { type: 'string', default: '20000' },
    numbers: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '40' },
  },
});
const recipients = Number(values.recipients);
const numbers = Number(values.numbers);
if (!Number.isInteger(recipients) || recipients < 100 || !Number.isInteger(numbers) || numbers < 2) {
  console.error('Give --recipients of at least 100 and --numbers of at least 2.');
  process.exit(2);
}

const importedAtOnce = 1_000;
const lookEveryMs = 1_000;
const dropEveryMs = 30_000;
const refreshEveryMs = 240_000;
/** Nothing may arrive later than that after a pause was answered. */
const pauseMsMax = 2_000;
const quietMs = 5_000;
const firstRecipient = 15_550_000_000;
const senders = Array.from({ length: numbers }, (_, index) => String(628_125_100_000 + index));

interface Campaign {
  campaignId: string;
  status: string;
  reason: string | null;
  counts: Record<string, number>;
}
interface Arrival {
  to: string;
  count: number;
  at: string;
}
interface Recipient {
  phoneNumber: string;
  status: string;
  reason: string | null;
}

/** How long after the answer to a pause the last message arrived, in milliseconds. */
const pauses: number[] = [];
const startedAt = Date.now();
const say = (line: string) =>
  console.log(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(5)} s  ${line}`);
const run = await LocalRun.start(unlimited);
try {
  process.exitCode = (await bench()) ? 0 : 1;
} finally {
  await run.discard();
}

async function bench(): Promise<boolean> {
  for (const phone of senders) await run.pairNumber(phone);
  await importPeople();
  // Some phones say that they got it, and read it.
  for (let index = 0; index < recipients; index += 10) {
    const script = { autoDeliver: true, autoRead: index % 20 === 0 };
    await run.simulator('PATCH', `/admin/phones/${firstRecipient + index}`, script);
  }
  const { campaignId } = await run.admin<Campaign>('POST', '/v1/campaigns', {
    name: 'Bench',
    message: { text: 'Hello {{name}}' },
    audience: { all: true, coldContacts: true },
    // What a ban and a crash cost is counted, and is not to end it.
    stopAfterFailures: 1_000_000,
  });
  const path = `/v1/campaigns/${campaignId}`;
  await run.admin('POST', `${path}/start`);
  const began = Date.now();
  say(`started for ${recipients} over ${numbers} numbers`);
  const timers = [setInterval(() => void run.refresh().catch(() => {}), refreshEveryMs), dropLinks()];
  const faults = faultsOf(path);
  const deadline = began + Number(values.minutes) * 60_000;
  let ownStops = 0;
  let nextSaid = 0;
  let last: Campaign | null = null;
  while (Date.now() < deadline) {
    const campaign = await run.admin<Campaign>('GET', path).catch(() => null);
    if (campaign !== null) {
      last = campaign;
      const { sent = 0, failed = 0, queued = 0 } = campaign.counts;
      if (sent >= nextSaid) {
        say(`${sent} sent, ${failed} failed, ${queued} under way`);
        nextSaid = sent + recipients / 20;
      }
      if (campaign.status === 'finished') break;
      if (campaign.status === 'paused') {
        ownStops += 1;
        say(`stopped by itself: ${campaign.reason}`);
        await run.admin('POST', `${path}/resume`).catch(() => {});
      }
      const fault = faults[0];
      if (fault !== undefined && sent + failed >= fault.from * recipients) {
        faults.shift();
        await fault.act().catch((error: Error) => say(`could not: ${error.message}`));
      }
    }
    await delay(lookEveryMs);
  }
  for (const timer of timers) clearInterval(timer);
  const tookS = (Date.now() - began) / 1000;
  if (last?.status !== 'finished') {
    say(`✗ not finished within ${values.minutes} minutes: ${JSON.stringify(last)}`);
    return false;
  }
  say(
    `finished: ${Math.round(tookS)} s, ${(recipients / tookS).toFixed(1)} a second, ${ownStops} stops of its own`,
  );
  return judged(path, last);
}

async function importPeople(): Promise<void> {
  for (let from = 0; from < recipients; from += importedAtOnce) {
    const contacts = Array.from({ length: Math.min(importedAtOnce, recipients - from) }, (_, index) => ({
      phoneNumber: String(firstRecipient + from + index),
      name: `Person ${from + index}`,
    }));
    await run.admin('POST', '/v1/contacts/import', { contacts, consentSource: 'A bench' });
  }
}

/** One link after the other, but for the number that is banned. */
function dropLinks(): NodeJS.Timeout {
  let drops = 0;
  return setInterval(() => {
    drops += 1;
    const phone = senders[1 + (drops % (numbers - 1))];
    void run.simulator('POST', `/admin/devices/${phone}/drop`).catch(() => {});
  }, dropEveryMs);
}

/** What happens once so large a part has gone out. */
function faultsOf(path: string): { from: number; act: () => Promise<void> }[] {
  const kill = (parts: ('workerd' | 'bridge' | 'gateway')[]) => async () => {
    say(`kill -9 of ${parts.join(', ')}`);
    for (const pid of parts.map((part) => run.pidOf(part))) process.kill(pid, 'SIGKILL');
  };
  return [
    {
      from: 0.1,
      act: async () => {
        say('a number is banned');
        await run.simulator('POST', `/admin/devices/${senders[0]}/ban`);
      },
    },
    { from: 0.2, act: kill(['workerd']) },
    { from: 0.3, act: kill(['bridge']) },
    { from: 0.4, act: () => pauseAndResume(path) },
    { from: 0.5, act: kill(['gateway']) },
    { from: 0.6, act: () => pauseAndResume(path) },
    { from: 0.7, act: kill(['workerd', 'bridge']) },
    { from: 0.8, act: () => pauseAndResume(path) },
    { from: 0.9, act: kill(['gateway', 'workerd', 'bridge']) },
  ];
}

async function pauseAndResume(path: string): Promise<void> {
  await run.admin('POST', `${path}/pause`);
  const pausedAt = Date.now();
  await delay(quietMs);
  const latest = (await arrivals()).reduce((most, { at }) => Math.max(most, Date.parse(at)), 0);
  pauses.push(Math.max(0, latest - pausedAt));
  say(`paused: the last message arrived ${pauses.at(-1)} ms after the answer`);
  await run.admin('POST', `${path}/resume`);
}

async function arrivals(): Promise<Arrival[]> {
  const { data } = await run.simulator<{ data: Arrival[] }>('GET', '/admin/messages');
  return data.filter(({ to }) => Number(to) >= firstRecipient && Number(to) < firstRecipient + recipients);
}

async function judged(path: string, { counts }: Campaign): Promise<boolean> {
  const arrived = new Map<string, number>();
  for (const { to, count } of await arrivals()) arrived.set(to, (arrived.get(to) ?? 0) + count);
  const all: Recipient[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { data: Recipient[]; nextCursor: string | null } = await run.admin(
      'GET',
      `${path}/recipients?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    all.push(...page.data);
    cursor = page.nextCursor;
  }
  const failed = all.filter(({ status }) => status === 'failed');
  const reached = all.filter(({ status }) => ['sent', 'delivered', 'read'].includes(status));
  const twice = [...arrived.values()].filter((count) => count > 1).length;
  const missing = reached.filter(({ phoneNumber }) => !arrived.has(phoneNumber)).length;
  const nameless = failed.filter(({ reason }) => reason === null).length;
  const reasons = Object.groupBy(failed, ({ reason }) => reason ?? 'none');
  const arrivedFailed = failed.filter(({ phoneNumber }) => arrived.has(phoneNumber)).length;
  say(`counts: ${JSON.stringify(counts)}`);
  say(
    `${arrived.size} phones have it; ${failed.length} failed (${Object.entries(reasons)
      .map(([reason, those]) => `${reason}: ${those?.length}`)
      .join(', ')}), ${arrivedFailed} of them have it all the same`,
  );
  const problems = [
    all.length !== recipients && `${all.length} rows for ${recipients} people`,
    reached.length + failed.length !== recipients && 'somebody is neither reached nor named as failed',
    twice > 0 && `${twice} got it more than once`,
    missing > 0 && `${missing} are shown as sent and have nothing`,
    nameless > 0 && `${nameless} failed without a reason`,
    pauses.some((ms) => ms > pauseMsMax) && `a pause took ${Math.max(...pauses)} ms`,
  ].filter((problem) => problem !== false);
  for (const problem of problems) say(`✗ ${problem}`);
  if (problems.length === 0) say('✓ each once, or named as failed');
  return problems.length === 0;
}
