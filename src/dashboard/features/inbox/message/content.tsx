import { Box, Flex, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Message } from '../../../../sdk/index.ts';
import { Hint } from '../../../parts/hint.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Meter } from '../../../parts/values/meter.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import classes from './content.module.css';

/** What a message says beside words and files. */
export default function Content({ message }: { message: Pick<Message, 'location' | 'contacts' | 'poll'> }) {
  const { location, contacts, poll } = message;
  return (
    <>
      {location !== undefined && <Place location={location} />}
      {contacts !== undefined && <Cards contacts={contacts} />}
      {poll !== undefined && <Poll poll={poll} />}
    </>
  );
}

/** A place: opened on a map, nothing of it is loaded here. */
function Place({ location }: { location: NonNullable<Message['location']> }) {
  const t = useTranslations('inbox');
  const types = useTranslations('common.messageTypes');
  const { latitude, longitude, name, address, isLive } = location;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <a className={classes.card} href={map} target="_blank" rel="noopener noreferrer">
      <span className={classes.pin}>
        <Icon name="pin" size={20} />
      </span>
      <span className={classes.cardText}>
        <strong dir="auto">{name ?? types('location')}</strong>
        {address !== undefined && <span dir="auto">{address}</span>}
        <Hint component="small">{`${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}</Hint>
        {isLive === true && <Hint component="small">{t('liveLocation')}</Hint>}
        <Hint component="small" c="var(--ink)" td="underline">
          {t('openMap')}
        </Hint>
      </span>
    </a>
  );
}

function Cards({ contacts }: { contacts: NonNullable<Message['contacts']> }) {
  return (
    <Stack component="ul" gap={6}>
      {contacts.map(({ name, phoneNumber, organisation }) => (
        <li key={`${name} ${phoneNumber}`} className={classes.card}>
          <span className={classes.pin}>
            <Icon name="person" size={20} />
          </span>
          <span className={classes.cardText}>
            <strong dir="auto">{name}</strong>
            {organisation !== undefined && <span dir="auto">{organisation}</span>}
            {phoneNumber !== undefined && <span>{readable(phoneNumber)}</span>}
          </span>
        </li>
      ))}
    </Stack>
  );
}

/** A poll and how it stands. */
function Poll({ poll }: { poll: NonNullable<Message['poll']> }) {
  const t = useTranslations('inbox');
  const counts = new Map(poll.votes?.map(({ option, count }) => [option, count]));
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return (
    <Stack gap={8} w={280} maw="100%">
      <strong dir="auto">{poll.name}</strong>
      <Stack component="ul" gap={8}>
        {poll.options.map((option) => {
          const count = counts.get(option) ?? 0;
          return (
            <li key={option} className={classes.option}>
              <Flex component="span" gap={8} justify="space-between">
                <span dir="auto">{option}</span>
                <b>{count}</b>
              </Flex>
              <Box mt={3}>
                <Meter share={all === 0 ? 0 : count / all} height={6} colour="var(--green)" />
              </Box>
            </li>
          );
        })}
      </Stack>
      <Hint component="small">{t('votes', { count: all })}</Hint>
    </Stack>
  );
}
