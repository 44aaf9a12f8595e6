import type { EventEnvelope } from '../../../../contract/events.ts';
import type { StoredEvent } from '../../events/event-rows.ts';

/** Characters of events in one answer, but for one event at least. */
const answerCharactersMax = 1_000_000;

/** A row of events as it stands in a segment. Lines about deliveries come behind all of them. */
interface EventLine {
  firstSeq: number;
  bodies: EventEnvelope[];
}

function* rowsOf(text: string): Generator<EventLine & { characters: number }> {
  for (const line of text.split('\n')) {
    if (line.startsWith('{"firstSeq"')) yield { ...JSON.parse(line), characters: line.length };
  }
}

/** Events behind `after`, oldest first; fewer than `limit` also when they are large. */
export function eventsInLines(text: string, after: number, limit: number): StoredEvent[] {
  const found: StoredEvent[] = [];
  let sum = 0;
  for (const { firstSeq, bodies, characters } of rowsOf(text)) {
    if (firstSeq + bodies.length - 1 <= after) continue;
    sum += characters;
    if (found.length > 0 && sum > answerCharactersMax) break;
    for (const [index, envelope] of bodies.entries()) {
      if (firstSeq + index > after) found.push({ seq: firstSeq + index, envelope });
      if (found.length === limit) return found;
    }
  }
  return found;
}
