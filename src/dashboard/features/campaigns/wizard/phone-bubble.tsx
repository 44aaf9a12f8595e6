import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { renderTemplate, type TemplateValues } from '../../../../contract/campaigns/template.ts';
import { Icon } from '../../../parts/icon.tsx';
import classes from './wizard.module.css';

interface BubbleProps {
  text: string;
  /** Where nothing is known: then what is missing stands there by its name. */
  values: TemplateValues;
  /** An address of the picture; null: there is none to show. */
  image?: string | null;
  document?: string | undefined;
}

/** The message as it looks on the phone of who gets it. */
export function PhoneBubble({ text, values, image = null, document }: BubbleProps) {
  const t = useTranslations('campaigns.wizard');
  const rendered = renderTemplate(text, values);
  const shown = rendered.ok ? rendered.text : text;
  return (
    <figure className={classes.phone} aria-label={t('previewName')}>
      <div className={classes.bubble}>
        {image !== null && <img src={image} alt="" className={classes.image} />}
        {document !== undefined && (
          <div className={classes.document}>
            <Icon name="book" />
            <span>{document}</span>
          </div>
        )}
        {shown.trim() === '' ? <div className={classes.line} /> : <p className={classes.text}>{shown}</p>}
        <Text span display="block" mt={2} c="var(--ink-faint)" fz="xs" ta="right" aria-hidden="true">
          {'09:41'}
        </Text>
      </div>
    </figure>
  );
}
