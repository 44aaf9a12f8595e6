/** The assistant's part of the inbox. */
export const inboxAssistant = {
  assistant: 'Assistant',
  active: '{name} answers here.',
  answering: '{name} is about to answer …',
  paused: '{name} is paused here: you answer.',
  off: '{name} does not answer here.',
  why: 'Why this answer',
  loading: 'One moment …',
  gone: 'How it came about is not kept any more.',
  sources: 'Sources',
  noSources: 'From its instructions alone: no document was used.',
  handedOff: 'It gave the conversation to people with this.',
  tools: 'Tools: {names}',
  tokens: '{read} tokens read, {written} written',
  costs: 'costs {cost}',
  seconds: '{seconds} s',
  actions: {
    take_over: 'Take over',
    pause: 'Pause',
    hand_off: 'Have it hand over',
    resume: 'Let it answer',
  },
} as const;
