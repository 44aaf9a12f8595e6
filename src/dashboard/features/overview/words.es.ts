import type { Words } from '../../words/texts.ts';

export const overview: Words['overview'] = {
  title: 'Resumen',
  firstSteps: 'Primeros pasos',
  stepsDone: '{done, number} de {all, number} hechos',
  steps: {
    add: 'Añadir un número',
    pair: 'Vincularlo con un teléfono',
    send: 'Enviar un mensaje de prueba',
    read: 'Ver cómo lo leen',
    key: 'Crear una clave de API para tu programa',
    webhook: 'Añadir un webhook para lo que ocurre',
  },
  attention: 'Lo que te necesita',
  acknowledge: 'Lo sé',
  moreAlerts: '{count, plural, one {Y # más} other {Y # más}}',
  allAlerts: 'Todas las alertas',
  today: 'Hoy',
  month: 'Últimos 30 días',
  monthSummary: '{sent, number} enviados, {received, number} recibidos, {failed, number} fallidos',
  quota: 'Mensajes este mes',
  ofLimit: 'de {limit, number}',
  noLimit: 'sin límite',
  resets: 'Empieza de nuevo el {date}.',
  all: '{count, plural, one {# número} other {Los # números}}',
};
