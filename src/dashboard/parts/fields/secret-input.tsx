import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** A field for what nobody else should read: hidden until its button shows it. */
export function SecretInput(props: PasswordInputProps) {
  const t = useTranslations('common');
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('showOrHide') }} {...props} />;
}
