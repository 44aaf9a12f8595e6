import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useCommands } from './commands.ts';

const CommandPalette = lazy(() => import('./command-palette.tsx'));
const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

/** The second key follows within this time. */
const sequenceMs = 1_200;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** What the palette is opened with from elsewhere on the page. */
export const openPalette = () => window.dispatchEvent(new Event('heliograph-palette'));

/** Listens for the shortcuts, and shows the palette (⌘K or Ctrl K) and the list of shortcuts (?). */
export function CommandKeys() {
  const commands = useCommands();
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null);
  const known = useRef(commands);
  known.current = commands;
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setShown('palette');
        return;
      }
      const isDialog = document.querySelector('[role="dialog"], [role="menu"]') !== null;
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialog) return;
      if (event.key === '?') {
        setShown('shortcuts');
        return;
      }
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
        if (search !== null) event.preventDefault();
        search?.focus();
        return;
      }
      const begun = first !== null && event.timeStamp - first.at < sequenceMs ? first.key : null;
      first = { key: event.key, at: event.timeStamp };
      const command =
        known.current.find(({ keys }) => keys?.[0] === begun && keys?.[1] === event.key) ??
        known.current.find(({ keys }) => keys?.length === 1 && keys[0] === event.key);
      if (command === undefined) return;
      first = null;
      event.preventDefault();
      command.run();
    };
    const onAsked = () => setShown('palette');
    document.addEventListener('keydown', onKey);
    window.addEventListener('heliograph-palette', onAsked);
    return () => {
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('heliograph-palette', onAsked);
    };
  }, []);
  const close = () => setShown(null);
  return (
    <Suspense>
      {shown === 'palette' && <CommandPalette commands={commands} onClose={close} />}
      {shown === 'shortcuts' && <ShortcutList commands={commands} onClose={close} />}
    </Suspense>
  );
}
