from numberline.cli.main import main

main()
