import { z } from 'zod';
import { mimetypeSchema } from '../../../contract/messages/media.ts';

/** The essence of a media type as HTTP writes it (RFC 9110, 8.3.1), without parameters; null where there is none, or it is no type at all. */
export function typeNamed(contentType: string | null | undefined): string | null {
  const essence = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return mimetypeSchema.safeParse(essence).success ? essence : null;
}

/** A media type as a field of a body, perhaps with parameters: its essence. */
export const mediaTypeField = z.string().transform((text, context) => {
  const type = typeNamed(text);
  if (type === null) context.addIssue({ code: 'custom', message: 'Not a media type, such as image/jpeg.' });
  return type ?? z.NEVER;
});
