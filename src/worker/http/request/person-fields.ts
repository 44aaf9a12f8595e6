import { z } from 'zod';
import { passwordCharactersMax, passwordCharactersMin } from '../../auth/password.ts';

/** Lower case, as it is stored and looked up. */
export const emailSchema = z.string().max(254).trim().toLowerCase().pipe(z.email());

/** A password that is being chosen. */
export const newPasswordSchema = z.string().min(passwordCharactersMin).max(passwordCharactersMax);

/** A password that is being presented: whatever its length, it is right or wrong. */
export const passwordSchema = z.string().max(passwordCharactersMax);

export const roleSchema = z.enum(['owner', 'admin', 'agent']);

/** A token out of a link in an e-mail. */
export const mailedTokenSchema = z.string().min(1).max(100);
