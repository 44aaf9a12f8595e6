import { textUnitsMax } from '../../../../contract/messages/content.ts';

/** As much of a text as has room, without half of a character at its end. */
export const clipped = (text: string, unitsMax: number): string => text.slice(0, unitsMax).toWellFormed();

/** The text of a message, as much of it as a frame carries. */
export const clippedText = (text: string): string => clipped(text, textUnitsMax);
