import classes from '../settings.module.css';
import { PasswordForm } from './password-form.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactorSection } from './two-factor.tsx';

/** How you prove who you are, and where you are signed in. */
export function SecurityPage() {
  return (
    <div className={classes.sections}>
      <PasswordForm />
      <TwoFactorSection />
      <Sessions />
    </div>
  );
}
