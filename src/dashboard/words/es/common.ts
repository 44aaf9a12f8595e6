import type { Words } from '../texts.ts';

export const common: Words['common'] = {
  cancel: 'Cancelar',
  close: 'Cerrar',
  save: 'Guardar',
  saved: 'Guardado',
  delete: 'Eliminar',
  back: 'Atrás',
  more: 'Más',
  copy: 'Copiar',
  copied: 'Copiado',
  tryAgain: 'Reintentar',
  loading: 'Cargando',
  loadMore: 'Mostrar más',
  none: 'Ninguno',
  never: 'Nunca',
  utc: '{time} UTC',
  noSuchPage: 'Esta página no existe',
  noSuchPageLead: 'Puede que la dirección esté mal escrita o que se haya eliminado lo que mostraba.',
  toOverview: 'Ir al resumen',
  typeToConfirm: 'Escribe {word} para confirmar',
};
