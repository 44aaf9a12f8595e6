import type { Words } from '../../words/texts.ts';

export const events: Words['events'] = {
  title: 'Eventos',
  lead: 'Todos los eventos de los últimos 30 días, en orden.',
  filters: 'Filtros',
  anyEvent: 'Cualquier evento',
  about: 'Sobre',
  waiting: '{count, plural, one {# evento nuevo} other {# eventos nuevos}}',
  emptyTitle: 'Todavía no hay eventos',
  emptyLead:
    'Cada paso de un mensaje y cada cambio de un número es un evento. Aparecen aquí cuando ocurren. Los webhooks los entregan a tu servidor, y con una clave de API puedes seguirlos:',
  noneTitle: 'Ningún evento coincide',
  noneLead: 'Ningún evento coincide con estos filtros. Los nuevos que coincidan aparecerán aquí.',
  exampleName: 'Ejemplo: seguir los eventos',
  payloadTitle: 'Enviado a los webhooks',
  payload: 'Contenido',
  toMessage: 'Ver el mensaje',
  cursor: 'Posición',
  gone: 'Este evento ya no existe. Los eventos se guardan 30 días.',
};
