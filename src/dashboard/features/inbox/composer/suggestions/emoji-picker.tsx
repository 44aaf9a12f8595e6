import Picker from 'emoji-picker-element/picker';
import english from 'emoji-picker-element-data/en/emojibase/data.json?url';
import spanish from 'emoji-picker-element-data/es/cldr/data.json?url';
import portuguese from 'emoji-picker-element-data/pt/cldr/data.json?url';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useStore } from '../../../../gateway/store.ts';
import { shownWords } from '../../../../words/language.ts';
import classes from './suggestions.module.css';

const data = { en: english, es: spanish, pt: portuguese, id: english };
const words = {
  en: () => import('emoji-picker-element/i18n/en'),
  es: () => import('emoji-picker-element/i18n/es'),
  pt: () => import('emoji-picker-element/i18n/pt_BR'),
  id: () => import('emoji-picker-element/i18n/id'),
};

/** Every emoji, by name and by kind; those used most come first. */
export default function EmojiPicker(props: { onChoose: (emoji: string) => void; onClose: () => void }) {
  const t = useTranslations('inbox');
  const frame = useRef<HTMLDivElement>(null);
  const language = useStore(shownWords)?.language ?? 'en';
  const { onChoose, onClose } = props;
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => {
    let isGone = false;
    let picker: Picker | undefined;
    void words[language]().then(({ default: i18n }) => {
      if (isGone) return;
      picker = new Picker({ dataSource: data[language], locale: language, i18n });
      picker.addEventListener('emoji-click', ({ detail }) => {
        if (detail.unicode !== undefined) choose.current(detail.unicode);
      });
      frame.current?.append(picker);
    });
    return () => {
      isGone = true;
      picker?.remove();
    };
  }, [language]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      onClose();
    };
    const onPress = (event: MouseEvent) => {
      const isOwn = event.composedPath().some((node) => node === frame.current);
      const isButton = event.target instanceof Element && event.target.closest('[aria-expanded]') !== null;
      if (!isOwn && !isButton) onClose();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('mousedown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('mousedown', onPress);
    };
  }, [onClose]);
  return <div className={classes.picker} ref={frame} role="dialog" aria-label={t('emoji')} />;
}
