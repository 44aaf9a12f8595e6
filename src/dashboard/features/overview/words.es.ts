import type { Words } from '../../words/texts.ts';

export const overview: Words['overview'] = {
  title: 'Resumen',
  firstSteps: 'Primeros pasos',
  stepsDone: '{done, number} de {all, number} hechos',
  steps: {
    add: 'Añadir un número',
    pair: 'Vincularlo con un teléfono',
    send: 'Enviar un mensaje de prueba',
    read: 'Ver cuándo lo leen',
    key: 'Crear una clave de API',
    webhook: 'Añadir un webhook para recibir eventos',
  },
  attention: 'Requiere atención',
  moreAlerts: '{count, plural, one {Y # más} other {Y # más}}',
  today: 'Hoy',
  monthSummary: '{sent, number} enviados, {received, number} recibidos, {failed, number} fallidos',
  quota: 'Mensajes este mes',
  ofLimit: 'de {limit, number}',
  noLimit: 'Ilimitados',
  resets: 'Se reinicia el {date}',
  all: '{count, plural, one {# número} other {Los # números}}',
};
