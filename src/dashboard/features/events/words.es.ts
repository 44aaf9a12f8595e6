import type { Words } from '../../words/texts.ts';

export const events: Words['events'] = {
  title: 'Eventos',
  lead: 'Todo lo que ocurre, en el orden en que ocurre, durante 30 días.',
  filters: 'Filtros',
  event: 'Evento',
  anyEvent: 'Cualquier evento',
  number: 'Número',
  anyNumber: 'Cualquier número',
  clear: 'Quitar los filtros',
  about: 'Sobre',
  time: 'Hora',
  waiting: '{count, plural, one {# evento nuevo} other {# eventos nuevos}}',
  emptyTitle: 'Aún no ha ocurrido nada',
  emptyLead:
    'Cada paso de un mensaje y cada cambio de un número es un evento. Aparecen aquí cuando ocurren; los webhooks los llevan a tu servidor, y con una clave de API esta línea los sigue:',
  noneTitle: 'Ningún evento así',
  noneLead: 'Nada cumple estos filtros. Lo que los cumpla desde ahora aparece aquí.',
  exampleName: 'Ejemplo que sigue los eventos',
  payloadTitle: 'Lo que recibe un webhook',
  payload: 'Contenido',
  message: 'Mensaje',
  toMessage: 'Seguir este mensaje',
  cursor: 'Posición',
  id: 'Identificador',
  gone: 'Este evento ya no existe. Los eventos se guardan 30 días.',
};
