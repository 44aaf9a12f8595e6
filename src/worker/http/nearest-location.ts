/** Continents as the platform names them; Europe and North America are halved by longitude. */
const byContinent: Record<string, DurableObjectLocationHint> = {
  AF: 'afr',
  AS: 'apac',
  OC: 'oc',
  SA: 'sam',
};
const easternEuropeFrom = 20;
const easternAmericaFrom = -100;

/** Where objects for this caller are best made; null where the platform does not say where the caller is. */
export function nearestLocation(request: Request): DurableObjectLocationHint | null {
  const { continent, longitude } = (request.cf ?? {}) as { continent?: string; longitude?: string };
  const east = Number(longitude ?? Number.NaN);
  if (continent === 'EU') return east >= easternEuropeFrom ? 'eeur' : 'weur';
  if (continent === 'NA') return east >= easternAmericaFrom ? 'enam' : 'wnam';
  return byContinent[continent ?? ''] ?? null;
}
