import { aliasAddress, aliasIn } from '../../../contract/messages/recipient.ts';

/** Phone numbers have 15 digits at most: recipients who are known by an alias stand behind them. */
export const aliasesFrom = 1_000_000_000_000_000;

/** Under which id somebody stands in a campaign; null: under none, for the alias has more digits than any has had so far. */
export function recipientIdOf(address: string): number | null {
  const lid = aliasIn(address);
  const id = lid === null ? Number(address) : aliasesFrom + Number(lid);
  return Number.isSafeInteger(id) ? id : null;
}

/** Where a message to somebody goes: a phone number, or an alias as `<digits>@lid`. Of whoever was erased nobody knows. */
export const addressOfId = (id: number): string =>
  id < aliasesFrom ? String(id) : aliasAddress(String(id - aliasesFrom));
