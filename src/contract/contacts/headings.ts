import type { importFields } from './import.ts';

type Field = (typeof importFields)[number];

/**
 * How the columns of address books are called, without case, accents and marks: those of the dashboard's languages, of
 * Google's and of Outlook's export. Of several columns for a field, the name that stands first here counts.
 */
const headings: Record<Field, readonly string[]> = {
  phoneNumber: [
    ...[
      'phonenumber',
      'whatsapp',
      'whatsappnumber',
      'mobilephone',
      'mobile',
      'mobilenumber',
      'cellphone',
      'cell',
    ],
    ...['phone', 'telephone', 'tel', 'msisdn', 'phone1value', 'primaryphone', 'number'],
    ...[
      'celular',
      'telefonecelular',
      'numerodetelefone',
      'numerodowhatsapp',
      'telefone',
      'telemovel',
      'fone',
    ],
    ...[
      'movil',
      'telefonomovil',
      'telefonocelular',
      'numerodetelefono',
      'numerodewhatsapp',
      'telefono',
      'numero',
    ],
    ...[
      'nomortelepon',
      'nomorwhatsapp',
      'nomorhp',
      'notelepon',
      'notelp',
      'nohp',
      'nowa',
      'telepon',
      'ponsel',
      'hp',
    ],
    ...['nomor', 'homephone', 'businessphone'],
  ],
  name: [
    ...['name', 'fullname', 'displayname', 'contactname'],
    ...['nome', 'nomecompleto', 'nombre', 'nombrecompleto', 'nama', 'namalengkap'],
    ...['firstname', 'givenname', 'primeironome', 'primernombre', 'namadepan'],
  ],
  labels: [
    ...['labels', 'label', 'tags', 'tag', 'categories', 'groupmembership'],
    ...['etiquetas', 'etiqueta', 'marcadores', 'categorias', 'kategori'],
  ],
  timeZone: ['timezone', 'fusohorario', 'zonahoraria', 'zonawaktu'],
};

/** Without case, accents and whatever is no letter and no digit. */
const bare = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The column of each field that one of these headings means, by its place; a field that none means is left out. */
export function usualColumns(columns: readonly string[]): Partial<Record<Field, number>> {
  const names = columns.map(bare);
  return Object.fromEntries(
    Object.entries(headings).flatMap(([field, usual]) => {
      const found = usual.map((name) => names.indexOf(name)).find((place) => place !== -1);
      return found === undefined ? [] : [[field, found]];
    }),
  );
}

/** Columns of an export behind those of {@link Field}, which no import takes. */
export const exportedOnly = [
  'pushName',
  'country',
  'lid',
  'consentSource',
  'consentAt',
  'optedOutAt',
  'firstSeenAt',
  'lastInboundAt',
] as const;
