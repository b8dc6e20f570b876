document.title = 'built console';
