import { renderUnicode } from 'uqr';
import { requestJson } from '../json-client.ts';
import { terminal } from '../terminal.ts';
import { waitUntil } from '../wait-until.ts';
import type { LocalAccount, NumberState } from './local-account.ts';

/** The simulated phone that the local start's number belongs to. */
const simulatedPhone = '628111000111';

/** A simulator bans nobody, so nothing has to look like a person there. */
const unpaced = { minDelayMs: 0, maxDelayMs: 0 };

const resumeWithinMs = 30_000;
const pairWithinMs = 30_000;

interface Pairing {
  qr: string | null;
}

/** Connects the local start's number to the simulated network: resumes it, or pairs it by scanning its QR. */
export async function connectSimulatedNumber(
  account: LocalAccount,
  simulatorUrl: string,
  signal: AbortSignal,
): Promise<NumberState & { phoneNumber: string }> {
  const number = await account.number(unpaced);
  const current = () => account.admin<NumberState>('GET', `/v1/numbers/${number.numberId}`);
  let { state } = number;
  if (state === 'connected' || state === 'disconnected') {
    // After a restart the bridge resumes it from the vault; it may yet learn that the phone has unlinked it.
    if (state === 'disconnected' && !account.isLocked)
      await account.admin('POST', `/v1/numbers/${number.numberId}/connect`);
    ({ state } = await waitUntil(
      'The paired number did not connect',
      resumeWithinMs,
      async () => {
        const seen = await current();
        return seen.state === 'disconnected' ? null : seen;
      },
      signal,
    ));
  }
  if (state !== 'connected') {
    await account.admin('POST', `/v1/numbers/${number.numberId}/pair`, { method: 'qr' });
    await scanQr(account, simulatorUrl, number.numberId, signal);
  }
  return waitUntil(
    'The number did not connect after its pairing',
    pairWithinMs,
    async () => {
      const seen = await current();
      return seen.state === 'connected' && seen.phoneNumber !== null
        ? { ...seen, phoneNumber: seen.phoneNumber }
        : null;
    },
    signal,
  );
}

/** Reads the QR that is on the screen now, or null while there is none. */
async function currentQr(account: LocalAccount, numberId: string): Promise<string | null> {
  const pairing = await account
    .admin<Pairing | null>('GET', `/v1/numbers/${numberId}/pairing`)
    .catch(() => null);
  return pairing?.qr ?? null;
}

async function scanQr(
  account: LocalAccount,
  simulatorUrl: string,
  numberId: string,
  signal: AbortSignal,
): Promise<void> {
  let scanned: string | null = null;
  await waitUntil(
    'No QR code could be scanned',
    pairWithinMs,
    async () => {
      const qr = await currentQr(account, numberId);
      if (qr === null || qr === scanned) return null;
      scanned = qr;
      const path = `/admin/mock-phone/scan-qr?phone=${simulatedPhone}`;
      // A QR that has just expired is refused; the next one is on its way.
      return requestJson(simulatorUrl, 'POST', path, {
        headers: { 'content-type': 'text/plain' },
        body: qr,
      }).catch(() => null);
    },
    signal,
  );
}

const scanWithinMs = 10 * 60_000;
/** The network shows a first code at once, where it can be reached at all. */
const firstCodeWithinMs = 15_000;

/**
 * Connects the local start's number to the real network: resumes it, or shows its QR codes in the terminal until a
 * phone has scanned one. Resolves null when nobody did in time.
 */
export async function pairRealNumber(
  account: LocalAccount,
  signal: AbortSignal,
): Promise<{ numberId: string; phoneNumber: string } | null> {
  const number = await account.number();
  const path = `/v1/numbers/${number.numberId}`;
  const isResumed = number.state === 'connected' || number.state === 'disconnected';
  if (isResumed) {
    terminal.text('The number that was paired before is being connected.');
  } else {
    await account.admin('POST', `${path}/pair`, { method: 'qr' });
    terminal.heading('The demo needs a real phone: Settings, Linked devices, Link a device, and scan this');
  }
  let shown: string | null = null;
  const noCodeTimer = setTimeout(() => {
    if (shown === null) terminal.warn('The network has shown no QR code yet; logs/bridge.log says why.');
  }, firstCodeWithinMs);
  const end = await waitUntil<NumberState>(
    'No phone was linked',
    scanWithinMs,
    async () => {
      const seen = await account.admin<NumberState>('GET', path);
      if (seen.state === 'connected' || (shown !== null && seen.state === 'unpaired')) return seen;
      const qr = isResumed ? null : await currentQr(account, number.numberId);
      if (qr !== null && qr !== shown) {
        shown = qr;
        terminal.block(renderUnicode(qr));
      }
      return null;
    },
    signal,
  ).catch(() => null);
  clearTimeout(noCodeTimer);
  if (signal.aborted) return null;
  if (end?.phoneNumber && end.state === 'connected') {
    terminal.ok('number', `${end.phoneNumber} is connected; send to a phone that expects it.`);
    return { numberId: end.numberId, phoneNumber: end.phoneNumber };
  }
  terminal.warn('No phone was linked. Start again, or POST /v1/numbers/:id/pair, for new QR codes.');
  return null;
}
