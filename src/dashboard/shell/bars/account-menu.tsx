import { Menu, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { SignedIn } from '../../../sdk/index.ts';
import { session } from '../../gateway/session.ts';
import { useStore } from '../../gateway/store.ts';
import { Icon } from '../../parts/icon.tsx';
import { choose, type Language, languages, shownWords } from '../../words/language.ts';

const schemes = ['light', 'dark', 'auto'] as const;

interface AccountMenuProps {
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  /** The button that opens it. */
  target: ReactElement;
  signedIn: SignedIn;
}

/** Language, appearance, and the way out. */
export default function AccountMenu({ isOpen, onChange, target, signedIn }: AccountMenuProps) {
  const t = useTranslations('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const language = useStore(shownWords)?.language;
  const signOut = useMutation({ mutationFn: () => session.logout() });
  const { user, account } = signedIn;
  return (
    <Menu position="top-start" width={240} opened={isOpen} onChange={onChange}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{`${user.email} · ${t(account.role)}`}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('appearance')}</Menu.Label>
        {schemes.map((scheme) => (
          <Choice key={scheme} isChosen={colorScheme === scheme} onChoose={() => setColorScheme(scheme)}>
            {t(scheme)}
          </Choice>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {Object.entries(languages).map(([tag, name]) => (
          <Choice key={tag} isChosen={language === tag} onChoose={() => void choose(tag as Language)}>
            {name}
          </Choice>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => signOut.mutate()}>{t('signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Choice(props: { isChosen: boolean; onChoose: () => void; children: string }) {
  return (
    <Menu.Item
      closeMenuOnClick={false}
      aria-current={props.isChosen}
      rightSection={props.isChosen ? <Icon name="check" size={15} /> : null}
      onClick={props.onChoose}
    >
      {props.children}
    </Menu.Item>
  );
}
