import { useTranslations } from 'use-intl';
import classes from './suggestions.module.css';
import type { SuggestionsOf } from './use-suggestions.ts';

/** What is offered while somebody types; the field has the focus and the keys. */
export function Suggestions({ suggestions }: { suggestions: SuggestionsOf }) {
  const t = useTranslations('inbox');
  const { id, shown, chosen, choose } = suggestions;
  if (shown.length === 0) return null;
  return (
    <div role="listbox" id={id} aria-label={t('suggestions')} className={classes.list}>
      {shown.map((suggestion) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
        <div
          key={suggestion.id}
          id={`${id}-${suggestion.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={suggestion === chosen}
          className={classes.option}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(suggestion)}
        >
          <b>{suggestion.title}</b>
          {suggestion.text !== '' && <span>{suggestion.text}</span>}
        </div>
      ))}
    </div>
  );
}
