/** Strokes on a grid of 24, drawn for this page. */
const strokes = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  numbers:
    'M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM10.5 18h3',
  messages: 'M4 5.5h16v11H10L5.5 20v-3.5H4z',
  campaigns: 'M4 10v4h3.5l7 4.5v-13l-7 4.5zM8.5 14l1.5 5.5M17.5 9.5a3.5 3.5 0 0 1 0 5M20 7a7 7 0 0 1 0 10',
  key: 'M9 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12l7.5-7.5M16.5 7.5 19 10',
  assistant:
    'M5.5 8h13a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5v-8A1.5 1.5 0 0 1 5.5 8zM12 8V4.5M9 12.5v2M15 12.5v2',
  webhook: 'M4 12h7M11 12l7-6M11 12l7 6M19.5 4.5v3h-3M16.5 16.5h3v3',
  events: 'M3 12h4l2.5-7 5 14L17 12h4',
  bridge:
    'M3 16.5h18M7 20V6M17 20V6M7 7.5c2 5.500 8 5.500 10 0M7 7.5c-.8 2.500-2 4-4 5M17 7.5c.8 2.500 2 4 4 5',
  book: 'M5 4.5h10.5A2.5 2.5 0 0 1 18 7v12.5H7.5A2.5 2.5 0 0 1 5 17zM5 17a2.5 2.5 0 0 1 2.5-2.5H18M9 8.5h5',
  settings: 'M4 7h9M17 7h3M15 5v4M4 12h3M11 12h9M9 10v4M4 17h9M17 17h3M15 15v4',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5 10 17.5 19.5 7',
  copy: 'M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  forward: 'M9.5 5.5 16 12l-6.5 6.5',
  fold: 'M4 5h16v14H4zM9.5 5v14M16 10l-2 2 2 2',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-4 3.7-5.5 7.5-5.5s6.7 1.5 7.5 5.5',
  contacts:
    'M9.5 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 19.5c.6-3.6 3-5 6.5-5s5.9 1.4 6.5 5M15.5 5a3.3 3.3 0 0 1 0 6.2M17.5 14.8c2 .6 3.1 2.100 3.500 4.700',
  sun: 'M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  bell: 'M6 16.5h12l-1.4-2.2V10a4.6 4.6 0 0 0-9.2 0v4.3zM10.2 19.5h3.6',
  warning: 'M12 4 21 19.5H3zM12 10v4.5M12 17.2v.1',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7v5l3.5 2',
  off: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM8.5 12h7',
  bad: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM9 9l6 6M15 9l-6 6',
  good: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM8.2 12.3l2.6 2.6 5-5.3',
  info: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 11v5.5M12 7.6v.1',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  send: 'M4 11.5 20 4l-5.5 16.5-3.5-7z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  play: 'M7.5 5v14l11-7z',
  inbound: 'M18 6 7 17M7 9v8h8',
  outbound: 'M6 18 17 7M9 7h8v8',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 4v4h-4',
  up: 'M12 19V5M6 11l6-6 6 6',
  bolt: 'M13 3 5 13.5h6L10 21l9-11h-6.5z',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 16M15.5 9.5h.01',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5',
  inbox: 'M4 13.5 6.5 5h11L20 13.5V19H4zM4 13.5h4.5l1.5 2.5h4l1.5-2.5H20',
  bellOff: 'M6.5 16.5V11c0-1 .3-2 .8-2.8M9.5 6.1A5.5 5.5 0 0 1 17.5 11v3.5M5 18h13M10 20.5h4M4 4l16 16',
  flag: 'M6 21V4M6 4.5h11l-2 4 2 4H6',
  eye: 'M3 12c2.2-4 5.2-6 9-6s6.8 2 9 6c-2.2 4-5.2 6-9 6s-6.8-2-9-6zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  pencil: 'M5 19l1-4L16.5 4.5l3 3L9 18zM14.5 6.5l3 3',
  tick: 'M6 12.5 10.5 17 18.5 7.5',
  ticks: 'M2.5 12.5 7 17l8-9.5M11 16l1 1 8.5-9.5',
  file: 'M6.5 3.5h7l4 4v13h-11zM13.5 3.5v4h4',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14',
  pin: 'M12 21c4-4.5 6-7.8 6-10.5a6 6 0 1 0-12 0C6 13.2 8 16.5 12 21zM12 12.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  reply: 'M9.5 6 4 11.5 9.5 17M4.5 11.5H14a6 6 0 0 1 6 6V19',
  smile:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM8.5 14c.8 1.5 2 2.2 3.5 2.2s2.7-.7 3.5-2.2M9 9.5v.1M15 9.5v.1',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  clip: 'M18.5 11.5 12 18a4.2 4.2 0 0 1-6-6l7-7a2.8 2.8 0 0 1 4 4l-6.8 6.8a1.4 1.4 0 0 1-2-2L14 8',
  microphone: 'M12 14.5a3 3 0 0 0 3-3V7a3 3 0 1 0-6 0v4.5a3 3 0 0 0 3 3zM6 11.5a6 6 0 0 0 12 0M12 17.5V21',
  down: 'M12 5v13M6.5 12.5 12 18l5.5-5.5',
  calendar: 'M4.5 6h15v14h-15zM4.5 10.5h15M8.5 3.5V8M15.5 3.5V8',
} as const;

export type IconName = keyof typeof strokes;

/** Beside a word that says the same: it has no name of its own. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.6 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={strokes[name]} />
    </svg>
  );
}

/** The same in every language. */
export const productName = 'Heliograph';

/** The disc and its ray. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path
        fill="var(--sun)"
        d="M11 12.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM17.5 11.5 23.5 1.5 30.5 8.5 20.5 14.5Z"
      />
    </svg>
  );
}
