/** The assistant's part of the inbox. */
export const inboxAssistant = {
  assistant: 'Assistant',
  active: '{name} answers here.',
  answering: '{name} is about to answer…',
  paused: '{name} is paused here.',
  off: '{name} does not answer here.',
  why: 'Why this answer',
  loading: 'Loading…',
  gone: 'The details are no longer stored.',
  sources: 'Sources',
  noSources: 'From its instructions only: no document was used.',
  handedOff: 'Then it handed over to a person.',
  tools: 'Tools: {names}',
  tokens: '{read} input tokens, {written} output tokens',
  seconds: '{seconds} s',
  actions: {
    take_over: 'Take over',
    pause: 'Pause',
    hand_off: 'Hand over',
    resume: 'Resume',
  },
} as const;
