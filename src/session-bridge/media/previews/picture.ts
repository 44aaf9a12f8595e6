import sharp from 'sharp';
import { type Preview, thumbnailSideMax } from './preview.ts';

/** What is larger is not decoded: 50 megapixels are more than phones take. */
const pixelsMax = 50_000_000;
const secondsMax = 4;

// Nothing but what the gateway takes as pictures meets a decoder.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'],
});
sharp.concurrency(1);
sharp.cache(false);

/** The displayed size of a picture, and a small version of it. */
export async function previewOfPicture(bytes: Buffer): Promise<Preview> {
  const limits = { limitInputPixels: pixelsMax, sequentialRead: true } as const;
  const { autoOrient, pages = 1 } = await sharp(bytes, limits).metadata();
  const small = await sharp(bytes, limits)
    .timeout({ seconds: secondsMax })
    .autoOrient()
    .resize(thumbnailSideMax, thumbnailSideMax, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 50 })
    .toBuffer();
  return {
    width: autoOrient.width,
    height: autoOrient.height,
    thumbnail: small.toString('base64'),
    ...(pages > 1 && { isAnimated: true }),
  };
}
