import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { productName } from '../../../parts/icon.tsx';
import { countsQuery } from '../../../queries/conversations/conversation-lists.ts';

/** How many wait for an answer, in the title of the tab and as a dot on its picture. */
export function useBadge(): void {
  const t = useTranslations('inbox');
  const { data } = useQuery(countsQuery);
  const waiting = data?.waiting ?? 0;
  const title = t('title');
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${productName}`;
  }, [waiting, title]);
  const isDotted = waiting > 0;
  useEffect(() => {
    if (!isDotted) return;
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null) return;
    const plain = link.href;
    link.href = dotted();
    return () => {
      link.href = plain;
    };
  }, [isDotted]);
}

/** The mark with a dot, as a picture of its own. */
function dotted(): string {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#e08a00" d="M11 12.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM17.5 11.5 23.5 1.5 30.5 8.5 20.5 14.5Z"/><circle cx="25" cy="25" r="7" fill="#d92d20"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
