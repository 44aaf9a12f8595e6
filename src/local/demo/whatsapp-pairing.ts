import { renderUnicode } from 'uqr';
import { terminal } from '../terminal.ts';
import { waitUntil } from '../wait-until.ts';
import type { LocalAccount, NumberState } from './local-account.ts';
import { currentQr } from './number-pairing.ts';

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
